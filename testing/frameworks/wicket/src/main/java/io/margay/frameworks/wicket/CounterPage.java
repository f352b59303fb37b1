package io.margay.frameworks.wicket;

import org.apache.wicket.ajax.AjaxRequestTarget;
import org.apache.wicket.ajax.markup.html.AjaxLink;
import org.apache.wicket.markup.html.WebPage;
import org.apache.wicket.markup.html.basic.Label;
import org.apache.wicket.markup.html.form.Form;
import org.apache.wicket.markup.html.form.TextField;
import org.apache.wicket.markup.html.link.Link;
import org.apache.wicket.markup.html.panel.FeedbackPanel;
import org.apache.wicket.model.IModel;
import org.apache.wicket.model.Model;

/// A page with a state: a counter, counted up by a link or by Ajax, and a form.
public class CounterPage extends WebPage {
    private static final long serialVersionUID = 1;

    private int count;

    public CounterPage() {
        IModel<Integer> counter = () -> count;
        Label shown = new Label("count", counter);
        shown.setOutputMarkupId(true);
        add(shown);
        add(
                new Link<Void>("link") {
                    private static final long serialVersionUID = 1;

                    @Override
                    public void onClick() {
                        addStateChange(); // A version of its own, for the Back button.
                        count++;
                    }
                });
        add(
                new AjaxLink<Void>("ajax") {
                    private static final long serialVersionUID = 1;

                    @Override
                    public void onClick(AjaxRequestTarget target) {
                        count += 10;
                        target.add(shown);
                    }
                });
        Model<String> name = Model.of("");
        Form<Void> form =
                new Form<>("form") {
                    private static final long serialVersionUID = 1;

                    @Override
                    protected void onSubmit() {
                        info("hello " + name.getObject());
                    }
                };
        form.add(new TextField<>("name", name).setRequired(true));
        add(form, new FeedbackPanel("feedback"));
    }
}
