package io.margay.servlet.xml;

/// Where something was declared, for messages. Immutable.
///
/// @param line 1-based; 0 when the source has no lines (a class file)
/// @param element such as `servlet-mapping` or `@WebServlet`
public record Origin(String file, int line, int column, String element) {
    @Override
    public String toString() {
        String place = line > 0 ? file + ":" + line + ":" + column : file;
        String shown = element.startsWith("@") ? element : "<" + element + ">";
        return place + ": " + shown;
    }
}
