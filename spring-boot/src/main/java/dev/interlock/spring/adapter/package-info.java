// SPDX-License-Identifier: Apache-2.0
/** Interlock in place of the locks and limiters of other libraries. */
@NullMarked
package dev.interlock.spring.adapter;

import org.jspecify.annotations.NullMarked;
