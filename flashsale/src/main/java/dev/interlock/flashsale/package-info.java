// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.interlock.flashsale;

import org.jspecify.annotations.NullMarked;
