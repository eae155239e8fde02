// SPDX-License-Identifier: Apache-2.0
/** How much each user may ask for. */
@NullMarked
package dev.interlock.flashsale.serve.limit;

import org.jspecify.annotations.NullMarked;
