// SPDX-License-Identifier: Apache-2.0
/** Units that must be recorded: who got which, decided on Redis and handed to a database through an outbox. */
@NullMarked
package dev.interlock.pool;

import org.jspecify.annotations.NullMarked;
