// SPDX-License-Identifier: Apache-2.0
/** What only operators may do: locks, limits, pools, and the record of who did what. */
@NullMarked
package dev.interlock.flashsale.serve.operator;

import org.jspecify.annotations.NullMarked;
