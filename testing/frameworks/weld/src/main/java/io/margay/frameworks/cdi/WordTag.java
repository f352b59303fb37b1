package io.margay.frameworks.cdi;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.servlet.jsp.tagext.SimpleTagSupport;
import java.io.IOException;

/// Writes what its bean says.
public class WordTag extends SimpleTagSupport {
    @Inject private Ending ending;

    @Override
    public void doTag() throws IOException {
        getJspContext().getOut().print(ending.word());
    }

    @PreDestroy
    void end() {
        Ends.tell("tag");
    }
}
