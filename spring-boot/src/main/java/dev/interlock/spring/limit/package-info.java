// SPDX-License-Identifier: Apache-2.0
/** Limits as they are written in annotations and in configuration. */
@NullMarked
package dev.interlock.spring.limit;

import org.jspecify.annotations.NullMarked;
