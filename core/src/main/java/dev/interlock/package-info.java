// SPDX-License-Identifier: Apache-2.0
/** Decisions that many machines must agree on, made atomically on Redis: start at {@link dev.interlock.Interlock}. */
@NullMarked
package dev.interlock;

import org.jspecify.annotations.NullMarked;
