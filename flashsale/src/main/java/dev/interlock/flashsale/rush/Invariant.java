// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

/**
 * One thing that must be true after a rush.
 *
 * @param name what
 * @param held whether it is
 * @param checked how it was checked, with the numbers
 */
record Invariant(String name, boolean held, String checked) {}
