package io.margay.app;
import java.nio.file.Path;
final class WebappNames { static String contextPath(Path p) { return "/" + String.valueOf(p.getFileName()).replaceAll("\\.war$", ""); } }
