package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Holds the packages free of circles.
final class LayerCirclesTest {
    @Test
    void packages_formNoCircle() {
        assertEquals(
                List.of(),
                PackageCircles.of(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("io.margay")));
    }
}
