package io.margay.servlet.deploy;

import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.DescriptorLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Reads what applications declare for another server: descriptors of its own beside web.xml, such
/// as Tomcat's `META-INF/context.xml`. Thread-safe.
public interface VendorDescriptors {
    /// Reads nothing: applications are what the specification says.
    VendorDescriptors NONE =
            new VendorDescriptors() {
                @Override
                public VendorDescriptor read(
                        String contextPath, String version, Path folder, DescriptorLimits limits) {
                    return VendorDescriptor.EMPTY;
                }

                @Override
                public List<String> packages() {
                    return List.of();
                }
            };

    /// Reads what the application in a folder declares.
    ///
    /// @param contextPath empty for the root
    /// @param version of several at that path; empty = none
    /// @throws DescriptorException with every error, each with file, line and column
    /// @throws IOException when a descriptor is there and cannot be read
    VendorDescriptor read(String contextPath, String version, Path folder, DescriptorLimits limits)
            throws IOException;

    /// Prefixes of names of classes of the container that applications see, because a descriptor
    /// may put them in place of the other server's.
    List<String> packages();
}
