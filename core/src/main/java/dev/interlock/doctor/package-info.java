// SPDX-License-Identifier: Apache-2.0
/** Looks at the servers: what they are, what they would lose, and what is set wrong for decisions. */
@NullMarked
package dev.interlock.doctor;

import org.jspecify.annotations.NullMarked;
