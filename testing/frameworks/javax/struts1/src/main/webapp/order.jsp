<%@ page contentType="text/html; charset=UTF-8" %>
<%@ taglib uri="http://struts.apache.org/tags-html" prefix="html" %>
<%@ taglib uri="http://struts.apache.org/tags-bean" prefix="bean" %>
<html:html>
<head><title><bean:message key="order.title"/></title></head>
<body>
<html:errors/>
<html:form action="/order">
  <html:text property="item"/><html:text property="amount"/><html:submit/>
</html:form>
</body>
</html:html>
