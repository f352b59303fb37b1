package io.margay.servlet.xml;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// Reads a descriptor into elements with positions. Nothing outside the given bytes is ever opened:
/// document type definitions are skipped and entities are refused, so neither files nor the network
/// can be reached and nothing expands.
public final class XmlTree {
    private static final Pattern DOCTYPE_VERSION =
            Pattern.compile("<!DOCTYPE[^>]*DTD Web Application (2\\.[23])");
    private static final int DOCTYPE_SEARCH_BYTES = 8192;

    /// The root, whether there is a document type, and the Servlet version that it names, if any.
    public record Document(
            XmlElement root, boolean declaresType, @Nullable String doctypeVersion) {}

    private final String file;
    private final DescriptorLimits limits;
    private final Deque<Open> open = new ArrayDeque<>();
    private int elements;
    private @Nullable XmlElement root;
    private boolean declaresType;

    private XmlTree(String file, DescriptorLimits limits) {
        this.file = file;
        this.limits = limits;
    }

    /// @param file its name for messages
    /// @throws DescriptorException when it is no well-formed XML, or beyond a limit
    public static Document read(String file, byte[] bytes, DescriptorLimits limits) {
        if (bytes.length > limits.bytesMax()) {
            throw failure(
                    file
                            + ": the file has "
                            + bytes.length
                            + " bytes, more than "
                            + limits.bytesMax()
                            + " (descriptor bytesMax). Make it smaller.");
        }
        XmlTree tree = new XmlTree(file, limits);
        try {
            XMLStreamReader reader =
                    factory().createXMLStreamReader(new ByteArrayInputStream(bytes));
            try {
                tree.readAll(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            throw malformed(file, e);
        }
        XmlElement root = tree.root;
        if (root == null) {
            throw failure(file + ":1:1: there is no root element. Write <web-app>...</web-app>.");
        }
        return new Document(root, tree.declaresType, doctypeVersion(bytes));
    }

    /// The JDK's own parser, whatever an application brings, with everything external shut off.
    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_VALIDATING, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("external entity " + systemId + " is refused");
        });
        return factory;
    }

    private void readAll(XMLStreamReader reader) throws XMLStreamException {
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> start(reader);
                case XMLStreamConstants.END_ELEMENT -> end();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    Open current = open.peek();
                    if (current != null) {
                        current.text.append(reader.getText());
                    }
                }
                case XMLStreamConstants.ENTITY_REFERENCE ->
                        throw failure(
                                at(reader.getLocation())
                                        + ": the entity &"
                                        + reader.getLocalName()
                                        + "; is refused: descriptors may not use entities. Write"
                                        + " its content in place.");
                case XMLStreamConstants.DTD -> declaresType = true;
                default -> {
                    // Comments and processing instructions: nothing to keep.
                }
            }
        }
    }

    private void start(XMLStreamReader reader) {
        elements++;
        if (elements > limits.elementsMax()) {
            throw failure(
                    at(reader.getLocation())
                            + ": more than "
                            + limits.elementsMax()
                            + " elements (descriptor elementsMax). Make the file smaller.");
        }
        if (open.size() >= limits.depthMax()) {
            throw failure(
                    at(reader.getLocation())
                            + ": <"
                            + reader.getLocalName()
                            + "> is nested deeper than "
                            + limits.depthMax()
                            + " elements (descriptor depthMax). Close the elements before it.");
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i).strip());
        }
        Location end = reader.getLocation();
        open.push(new Open(reader.getLocalName(), end.getLineNumber(), column(end), attributes));
    }

    private void end() {
        Open done = open.pop();
        XmlElement element =
                new XmlElement(
                        file,
                        done.name,
                        done.line,
                        done.column,
                        Map.copyOf(done.attributes),
                        List.copyOf(done.children),
                        done.text.toString().strip());
        Open parent = open.peek();
        if (parent == null) {
            root = element;
        } else {
            parent.children.add(element);
        }
    }

    private static int column(Location location) {
        return Math.max(1, location.getColumnNumber());
    }

    private String at(Location location) {
        return file + ":" + location.getLineNumber() + ":" + column(location);
    }

    private static @Nullable String doctypeVersion(byte[] bytes) {
        int length = Math.min(bytes.length, DOCTYPE_SEARCH_BYTES);
        String head = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        Matcher matcher = DOCTYPE_VERSION.matcher(head);
        return matcher.find() ? matcher.group(1) : null;
    }

    private static DescriptorException malformed(String file, XMLStreamException e) {
        Location location = e.getLocation();
        String place =
                location == null
                        ? file
                        : file + ":" + location.getLineNumber() + ":" + column(location);
        String text = String.valueOf(e.getMessage());
        int message = text.indexOf("Message: ");
        String reason = (message < 0 ? text : text.substring(message + 9)).strip();
        return failure(place + ": not well-formed XML: " + reason + " Correct the file there.");
    }

    private static DescriptorException failure(String problem) {
        return new DescriptorException(List.of(problem));
    }

    /// An element whose end has not been seen.
    private static final class Open {
        final String name;
        final int line;
        final int column;
        final Map<String, String> attributes;
        final List<XmlElement> children = new ArrayList<>();
        final StringBuilder text = new StringBuilder();

        Open(String name, int line, int column, Map<String, String> attributes) {
            this.name = name;
            this.line = line;
            this.column = column;
            this.attributes = attributes;
        }
    }
}
