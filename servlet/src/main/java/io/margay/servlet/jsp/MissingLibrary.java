package io.margay.servlet.jsp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.jasper.JasperException;

/// Says in words that a tag library is in no JAR of an application, and which artefacts have the
/// standard one, which Tomcat's users often lose on their way to Jakarta. Stateless.
final class MissingLibrary {
    /// As Jasper says it.
    private static final Pattern SAID =
            Pattern.compile(
                    "(?s).*(?:Unable to get JAR resource \\[/?([^\\]]*)\\] containing TLD"
                            + "|The absolute uri: \\[([^\\]]*)\\] cannot be resolved).*");

    private static final Pattern STANDARD =
            Pattern.compile("jakarta\\.tags\\..*|https?://java\\.sun\\.com/jsp/jstl/.*");

    private MissingLibrary() {}

    /// The same failure, or one that names what is missing.
    static Exception named(Exception failure) {
        Matcher said = SAID.matcher(String.valueOf(failure.getMessage()));
        if (!(failure instanceof JasperException) || !said.matches()) {
            return failure;
        }
        String uri = said.group(1) == null ? said.group(2) : said.group(1);
        String remedy =
                STANDARD.matcher(uri).matches()
                        ? ": add org.glassfish.web:jakarta.servlet.jsp.jstl and"
                                + " jakarta.servlet.jsp.jstl:jakarta.servlet.jsp.jstl-api"
                        : ": add the library that has its descriptor, META-INF/NAME.tld";
        return new JasperException(
                "the tag library " + uri + " is in no JAR of WEB-INF/lib" + remedy, failure);
    }
}
