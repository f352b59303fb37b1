<%@ page contentType="text/html; charset=UTF-8" %>
<%@ taglib prefix="s" uri="/struts-tags" %>
<!DOCTYPE html>
<html lang="en">
<body>
<s:fielderror/>
<s:form action="greet">
<s:textfield name="name" label="Name"/>
<s:submit/>
</s:form>
</body>
</html>
