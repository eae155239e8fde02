// SPDX-License-Identifier: Apache-2.0
/** The main job: many requests for few coupons, and a verdict read from Redis and the database. */
@NullMarked
package dev.interlock.flashsale.rush;

import org.jspecify.annotations.NullMarked;
