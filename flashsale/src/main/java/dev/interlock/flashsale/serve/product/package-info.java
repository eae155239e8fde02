// SPDX-License-Identifier: Apache-2.0
/** Products: units on sale with holds, and a database row that is decreased under a lock. */
@NullMarked
package dev.interlock.flashsale.serve.product;

import org.jspecify.annotations.NullMarked;
