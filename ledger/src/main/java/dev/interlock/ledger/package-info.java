// SPDX-License-Identifier: Apache-2.0
/**
 * Records the events of pools in PostgreSQL, each exactly once, and keeps Redis and the database in agreement. Start with
 * {@link dev.interlock.ledger.LedgerSchema}, {@link dev.interlock.ledger.Relay} and
 * {@link dev.interlock.ledger.Reconcile}.
 */
@NullMarked
package dev.interlock.ledger;

import org.jspecify.annotations.NullMarked;
