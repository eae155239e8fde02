// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import java.util.List;

/**
 * Which of the expected functions one master has.
 *
 * @param node its address
 * @param present the functions of this version that it has
 * @param missing the functions of this version that it lacks; the first call of one loads it, if the user may
 * @param others functions of other versions of the same scripts, of programs before or after a roll-out
 */
public record NodeFunctions(String node, List<String> present, List<String> missing, List<String> others) {
    /** Copies what is given. */
    public NodeFunctions {
        present = List.copyOf(present);
        missing = List.copyOf(missing);
        others = List.copyOf(others);
    }
}
