// SPDX-License-Identifier: Apache-2.0
/** Coupon campaigns: made by operators, coupons issued to users. */
@NullMarked
package dev.interlock.flashsale.serve.campaign;

import org.jspecify.annotations.NullMarked;
