package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Holds the packages free of circles, but for those that have been there from before this rule.
final class LayerCirclesTest {
    /// The circles that are still to be undone. The list only ever gets shorter.
    private static final List<Set<String>> KNOWN = List.of(Set.of("server", "server.connection"));

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.margay");

    private static final List<Set<String>> FOUND = PackageCircles.of(CLASSES);

    @Test
    void packages_formNoCircleButKnownOnes() {
        assertEquals(List.of(), FOUND.stream().filter(circle -> !isKnown(circle)).toList());
    }

    /// A circle that has been undone, in whole or in part, is struck from the list.
    @Test
    void knownCircles_areAllStillThere() {
        assertEquals(List.of(), KNOWN.stream().filter(circle -> !FOUND.contains(circle)).toList());
    }

    private static boolean isKnown(Set<String> circle) {
        return KNOWN.stream().anyMatch(known -> known.containsAll(circle));
    }
}
