// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.InterlockException;
import dev.interlock.doctor.Diagnosis;
import dev.interlock.doctor.Diagnosis.Level;
import dev.interlock.spring.autoconfigure.InterlockProperties.AtStartup;
import dev.interlock.spring.autoconfigure.InterlockProperties.Durability;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Looks at the servers once, when all beans are there. */
final class StartupChecks implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(StartupChecks.class);

    private static final String PERSISTENCE = "persistence";

    private final Interlock interlock;
    private final InterlockProperties.Checks settings;

    StartupChecks(Interlock interlock, InterlockProperties.Checks settings) {
        this.interlock = interlock;
        this.settings = settings;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (settings.atStartup() == AtStartup.OFF) {
            return;
        }
        List<Diagnosis> findings = findings();
        findings.forEach(finding -> log.warn("{}", finding));
        List<Diagnosis> failures = findings.stream()
                .filter(finding -> finding.level() == Level.FAIL)
                .toList();
        if (settings.atStartup() == AtStartup.FAIL && !failures.isEmpty()) {
            throw new FailedChecksException(failures);
        }
    }

    private List<Diagnosis> findings() {
        try {
            return interlock.doctor().examine().stream()
                    .filter(finding -> finding.level() != Level.OK)
                    .filter(finding ->
                            !finding.subject().equals(PERSISTENCE) || settings.durability() != Durability.MEMORY)
                    .toList();
        } catch (InterlockException e) {
            log.warn("the servers could not be looked at: {}", e.toString());
            return List.of();
        }
    }
}
