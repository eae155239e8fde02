// SPDX-License-Identifier: Apache-2.0
/** Commands for those who run servers and write scripts; none needs a database. */
@NullMarked
package dev.interlock.flashsale.ops;

import org.jspecify.annotations.NullMarked;
