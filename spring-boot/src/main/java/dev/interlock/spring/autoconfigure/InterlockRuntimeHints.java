// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must hold: the Lua files, and the metadata that tells known properties from misspelt ones. */
final class InterlockRuntimeHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("dev/interlock/**/*.lua").registerPattern(SettingsCheck.METADATA);
    }
}
