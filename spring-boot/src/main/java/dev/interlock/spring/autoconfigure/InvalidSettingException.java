// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

/** A setting that Interlock cannot work with. */
final class InvalidSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String property;
    private final String action;

    InvalidSettingException(String property, String why, String action) {
        super("The property '" + property + "' is not usable: " + why);
        this.property = property;
        this.action = action;
    }

    String property() {
        return property;
    }

    String action() {
        return action;
    }

    /** Has a setting taken, naming its property if it is refused. */
    static void check(String property, Runnable taken) {
        try {
            taken.run();
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    property, String.valueOf(e.getMessage()), "Change the value of '" + property + "'.");
        }
    }
}
