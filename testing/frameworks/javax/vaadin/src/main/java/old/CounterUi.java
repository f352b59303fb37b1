package old;

import com.vaadin.annotations.Theme;
import com.vaadin.server.VaadinRequest;
import com.vaadin.ui.Button;
import com.vaadin.ui.UI;

/// A button that counts.
@Theme("valo")
public class CounterUi extends UI {
    private int count;

    @Override
    protected void init(VaadinRequest request) {
        Button button = new Button("count 0");
        button.addClickListener(event -> button.setCaption("count " + ++count));
        setContent(button);
    }
}
