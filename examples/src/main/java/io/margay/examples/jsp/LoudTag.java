package io.margay.examples.jsp;

import jakarta.servlet.jsp.JspException;
import jakarta.servlet.jsp.tagext.SimpleTagSupport;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;

/// The custom tag `<example:loud times="3">`: its body in capitals, some times over.
///
/// Made anew for each use on a page, so it belongs to the thread that writes the page.
public final class LoudTag extends SimpleTagSupport {
    private static final int TIMES_MAX = 10;

    private int times = 1;

    /// Called with the tag's attribute; at most 10.
    public void setTimes(int times) {
        this.times = Math.clamp(times, 0, TIMES_MAX);
    }

    @Override
    public void doTag() throws JspException, IOException {
        var body = new StringWriter();
        if (getJspBody() != null) {
            getJspBody().invoke(body);
        }
        String loud = body.toString().strip().toUpperCase(Locale.ROOT);
        getJspContext().getOut().print((loud + "! ").repeat(times).strip());
    }
}
