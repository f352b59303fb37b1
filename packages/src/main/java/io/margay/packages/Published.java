package io.margay.packages;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/// Looks through a repository of what is published for what Maven Central and its readers ask for:
/// POMs that are complete, beside each jar its sources, its Javadoc and its bill of materials, a
/// licence in every jar. A program by itself, run from its source by `make release`; `make
/// artefacts` asks it, too.
final class Published {
    private static final List<String> IN_EVERY_JAR = List.of("META-INF/LICENSE", "META-INF/NOTICE");
    private static final List<String> IN_EVERY_POM =
            List.of(
                    "groupId",
                    "artifactId",
                    "version",
                    "name",
                    "description",
                    "url",
                    "licenses/license/name",
                    "licenses/license/url",
                    "developers/developer/name",
                    "scm/connection",
                    "scm/url");
    private static final List<String> BESIDE_EVERY_JAR =
            List.of("-sources.jar", "-javadoc.jar", "-cyclonedx.json");

    private static final System.Logger LOG = System.getLogger(Published.class.getName());

    private Published() {}

    /// @param args the repository
    public static void main(String[] args) throws Exception {
        List<String> faults = faults(Path.of(args[0]));
        faults.forEach(fault -> LOG.log(Level.ERROR, fault));
        if (!faults.isEmpty()) {
            System.exit(1);
        }
    }

    static List<String> faults(Path repository)
            throws IOException, ParserConfigurationException, SAXException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(repository)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        List<String> faults = new ArrayList<>();
        int poms = 0;
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            if (name.endsWith(".jar")) {
                jar(file, name, faults);
            } else if (name.endsWith(".pom")) {
                poms++;
                pom(file, name, faults);
            }
        }
        if (poms == 0) {
            faults.add(repository + ": nothing is published here");
        }
        return faults;
    }

    private static void jar(Path file, String name, List<String> faults) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (String entry : IN_EVERY_JAR) {
                if (zip.getEntry(entry) == null) {
                    faults.add(name + ": no " + entry);
                }
            }
        }
        if (BESIDE_EVERY_JAR.stream().noneMatch(name::endsWith)) {
            String stem = name.substring(0, name.length() - ".jar".length());
            for (String other : BESIDE_EVERY_JAR) {
                if (!Files.exists(file.resolveSibling(stem + other))) {
                    faults.add(name + ": no " + stem + other);
                }
            }
        }
    }

    private static void pom(Path file, String name, List<String> faults)
            throws IOException, ParserConfigurationException, SAXException {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        Element project = document.getDocumentElement();
        if (child(project, "parent").isPresent()) {
            faults.add(name + ": names a parent that nobody has");
        }
        for (String path : IN_EVERY_POM) {
            Optional<Node> found = Optional.of(project);
            for (String step : path.split("/")) {
                found = found.flatMap(node -> child(node, step));
            }
            if (found.map(Node::getTextContent).orElse("").isBlank()) {
                faults.add(name + ": no " + path);
            }
        }
    }

    private static Optional<Node> child(Node parent, String name) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeName().equals(name)) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }
}
