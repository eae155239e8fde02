// SPDX-License-Identifier: Apache-2.0
/** Whether this process can issue. */
@NullMarked
package dev.interlock.flashsale.serve.health;

import org.jspecify.annotations.NullMarked;
