// SPDX-License-Identifier: Apache-2.0
/** Looks at the servers: whether they are set up for what is decided on them, and what they hold. */
@NullMarked
package dev.interlock.doctor;

import org.jspecify.annotations.NullMarked;
