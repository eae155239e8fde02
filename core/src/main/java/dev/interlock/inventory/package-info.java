// SPDX-License-Identifier: Apache-2.0
/** What the servers hold, and whether they decide: for operators. */
@NullMarked
package dev.interlock.inventory;

import org.jspecify.annotations.NullMarked;
