// SPDX-License-Identifier: Apache-2.0
/** Values that many processes change without losing each other's changes. */
@NullMarked
package dev.interlock.value;

import org.jspecify.annotations.NullMarked;
