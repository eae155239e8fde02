// SPDX-License-Identifier: Apache-2.0
/** Locks that are leases: owned by a token, limited in time, numbered by a fence that only grows. */
@NullMarked
package dev.interlock.lock;

import org.jspecify.annotations.NullMarked;
