// SPDX-License-Identifier: Apache-2.0
/** Sets Interlock up in a Spring Boot application, each part where the application brings what it needs. */
@NullMarked
package dev.interlock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
