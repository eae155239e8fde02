// SPDX-License-Identifier: Apache-2.0
/** What campaigns and products have in common: a pool of units, times, and operators who change them. */
@NullMarked
package dev.interlock.flashsale.serve.sale;

import org.jspecify.annotations.NullMarked;
