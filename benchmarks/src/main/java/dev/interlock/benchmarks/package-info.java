// SPDX-License-Identifier: Apache-2.0
/** Measures Interlock and other ways of doing the same in one run. Not published. */
@NullMarked
package dev.interlock.benchmarks;

import org.jspecify.annotations.NullMarked;
