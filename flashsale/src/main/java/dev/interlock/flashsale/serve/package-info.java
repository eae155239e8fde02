// SPDX-License-Identifier: Apache-2.0
/** The flash-sale service: how it starts and what it is put together from. */
@NullMarked
package dev.interlock.flashsale.serve;

import org.jspecify.annotations.NullMarked;
