package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Holds the compiled modules to the layer rules, and their packages free of circles. That each
/// rule can fail is the matter of [LayerRuleTest].
final class LayerTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.margay");

    @ParameterizedTest
    @EnumSource(LayerRule.class)
    void modules_keepTheRule(LayerRule rule) {
        rule.rule().check(CLASSES);
    }

    @Test
    void packages_formNoCircle() {
        assertEquals(List.of(), PackageCircles.of(CLASSES));
    }
}
