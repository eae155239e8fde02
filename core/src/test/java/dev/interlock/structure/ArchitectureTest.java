// SPDX-License-Identifier: Apache-2.0
package dev.interlock.structure;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.interlock.InterlockBuilder;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.Set;

/** How the packages of core may depend on each other, and what may be public. */
@AnalyzeClasses(packages = "dev.interlock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final int MOST_INTERFACE_METHODS = 8;

    @ArchTest
    static final ArchRule featuresFormNoCycles =
            slices().matching("dev.interlock.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule featuresDoNotImportEachOther = slices().matching("dev.interlock.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                    describe("any", c -> true), resideInAnyPackage("dev.interlock.internal..", "dev.interlock"));

    /** L8 and L15: a client whose clock is wrong cannot disturb others if nothing that decides reads it. */
    @ArchTest
    static final ArchRule locksNeverReadTheWallClock = noClasses()
            .that()
            .resideInAnyPackage("dev.interlock.lock..", "dev.interlock.internal..")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callConstructor(Date.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class);

    @ArchTest
    static final ArchRule internalImportsNoFeature = noClasses()
            .that()
            .resideInAPackage("dev.interlock.internal..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.interlock..")
                    .and(describe(
                            "of a feature",
                            c -> !c.getPackageName().equals("dev.interlock")
                                    && !c.getPackageName().startsWith("dev.interlock.internal"))));

    @ArchTest
    static final ArchRule noLettuceTypeIsInTheApi = methods()
            .that()
            .arePublic()
            .and()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackages("dev.interlock.internal..", "dev.interlock.embedded..")
            .and()
            .areDeclaredInClassesThat()
            .arePublic()
            .and()
            .areNotDeclaredIn(InterlockBuilder.class)
            .should(new ArchCondition<JavaMethod>("take and give no Lettuce type") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    method.getAllInvolvedRawTypes().stream()
                            .filter(type -> type.getPackageName().startsWith("io.lettuce"))
                            .forEach(type -> events.add(SimpleConditionEvent.violated(
                                    method, method.getFullName() + " shows " + type.getName())));
                }
            });

    @ArchTest
    static final ArchRule publicConcreteClassesAreFinal = classes()
            .that()
            .arePublic()
            .and()
            .areNotInterfaces()
            .and()
            .doNotHaveModifier(JavaModifier.ABSTRACT)
            .and()
            .areNotEnums()
            .and()
            // The two roots of the hierarchy of failures.
            .doNotHaveSimpleName("InterlockException")
            .and()
            .doNotHaveSimpleName("NotExecutedException")
            .should()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule interfacesStaySmall = classes()
            .that()
            .areInterfaces()
            .should(new ArchCondition<JavaClass>("have at most " + MOST_INTERFACE_METHODS + " methods to call") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    long methods = type.getMethods().stream()
                            .filter(m -> m.getModifiers().contains(JavaModifier.ABSTRACT))
                            .count();
                    if (methods > MOST_INTERFACE_METHODS) {
                        events.add(SimpleConditionEvent.violated(type, type.getName() + " has " + methods));
                    }
                }
            });

    @ArchTest
    static final ArchRule noThreadLocals =
            noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class);

    @ArchTest
    static final ArchRule namesArePlain = classes().should(new ArchCondition<JavaClass>("have plain names") {
        private static final Set<String> ENDINGS = Set.of("Impl", "Manager", "Helper", "Util", "Utils");

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            String name = type.getSimpleName();
            if (ENDINGS.stream().anyMatch(name::endsWith) || name.startsWith("Abstract")) {
                events.add(SimpleConditionEvent.violated(type, type.getName() + " is no plain noun"));
            }
        }
    });
}
