// SPDX-License-Identifier: Apache-2.0
/** Tests of applications on a real Redis, without Docker. */
@NullMarked
package dev.interlock.spring.test;

import org.jspecify.annotations.NullMarked;
