// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.interlock.embedded;

import org.jspecify.annotations.NullMarked;
