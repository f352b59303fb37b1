package io.margay.compat.tomcat.base;

import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.DescriptorLimits;
import io.margay.servlet.xml.XmlElement;
import io.margay.servlet.xml.XmlTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads XML files of a `CATALINA_BASE`, with properties replaced. Stateless.
public final class BaseXml {
    /// An installation's server.xml may be long: hosts by the hundred.
    private static final DescriptorLimits LIMITS = DescriptorLimits.defaults();

    private BaseXml() {}

    /// Reads a file.
    ///
    /// @throws DescriptorException when it is no well-formed XML
    /// @throws IOException when it cannot be read
    public static XmlElement read(Path file, CatalinaProperties properties) throws IOException {
        return replaced(
                XmlTree.read(file.toString(), Files.readAllBytes(file), LIMITS).root(), properties);
    }

    /// The same element with properties replaced in its attributes and texts.
    public static XmlElement replaced(XmlElement element, CatalinaProperties properties) {
        Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
        attributes.replaceAll((name, value) -> properties.replace(value));
        return new XmlElement(
                element.file(),
                element.name(),
                element.line(),
                element.column(),
                Map.copyOf(attributes),
                element.children().stream().map(child -> replaced(child, properties)).toList(),
                properties.replace(element.text()));
    }
}
