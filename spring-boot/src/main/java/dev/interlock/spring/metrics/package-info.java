// SPDX-License-Identifier: Apache-2.0
/** Meters and observations of Interlock; {@code docs/metrics.md} lists them. */
@NullMarked
package dev.interlock.spring.metrics;

import org.jspecify.annotations.NullMarked;
