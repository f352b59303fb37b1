package io.margay.app.tidy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Holds the compiled modules to the layer rules. That each rule can fail is the matter of
/// [LayerRuleTest].
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
}
