// SPDX-License-Identifier: Apache-2.0
/** What operators see of Interlock: health and an end-point. */
@NullMarked
package dev.interlock.spring.actuate;

import org.jspecify.annotations.NullMarked;
