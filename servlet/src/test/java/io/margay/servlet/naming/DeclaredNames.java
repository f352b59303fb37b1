package io.margay.servlet.naming;

import io.margay.servlet.deploy.VendorDescriptor;
import io.margay.servlet.deploy.VendorDescriptors;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.xml.DescriptorLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Declares resources for every application, as another server's descriptor may.
record DeclaredNames(Consumer<NamingBuilder> names) implements VendorDescriptors {
    @Override
    public VendorDescriptor read(
            String contextPath, String version, Path folder, DescriptorLimits limits) {
        return new VendorDescriptor() {
            @Override
            public WebAppDescriptor applyTo(
                    WebAppDescriptor descriptor,
                    Predicate<String> brought,
                    Consumer<String> warnings) {
                return descriptor;
            }

            @Override
            public void addNames(
                    NamingBuilder builder, Predicate<String> brought, Consumer<String> warnings) {
                names.accept(builder);
            }
        };
    }

    @Override
    public List<String> packages() {
        return List.of();
    }
}
