// SPDX-License-Identifier: Apache-2.0
/** A plain count of units, taken and given back once each. */
@NullMarked
package dev.interlock.stock;

import org.jspecify.annotations.NullMarked;
