// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.interlock.ledger;

import org.jspecify.annotations.NullMarked;
