// SPDX-License-Identifier: Apache-2.0
/** Commands for operators that need no service: locks and pools, straight at Redis. */
@NullMarked
package dev.interlock.flashsale.operate;

import org.jspecify.annotations.NullMarked;
