// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.interlock;

import org.jspecify.annotations.NullMarked;
